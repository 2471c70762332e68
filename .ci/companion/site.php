<?php
/**
 * The site's side of the test, a router of "php -S": each request loads WordPress and does one thing.
 */
ini_set( 'display_errors', '0' );
if ( isset( $_GET['broken'] ) ) {
	define( 'TEST_PREFIX', 'none_' );
}
require getenv( 'SITE' ) . '/wp-load.php';

$id = (int) ( $_GET['id'] ?? 0 );

function shown( $id ) {
	$post  = get_post( $id );
	$terms = array();
	foreach ( array( 'tribe_events_cat', 'post_tag' ) as $taxonomy ) {
		foreach ( (array) get_the_terms( $id, $taxonomy ) as $term ) {
			if ( $term instanceof WP_Term ) {
				$terms[] = $term->term_id;
			}
		}
	}
	sort( $terms );
	return array(
		'title'  => $post ? $post->post_title : null,
		'text'   => $post ? $post->post_content : null,
		'status' => $post ? $post->post_status : null,
		'slug'   => $post ? $post->post_name : null,
		'start'  => get_post_meta( $id, '_EventStartDate', true ),
		'terms'  => $terms,
	);
}

switch ( $_GET['do'] ) {
	case 'read':
		$answer = shown( $id );
		break;
	case 'save':
		kses_remove_filters();
		$answer = wp_update_post( array( 'ID' => $id, 'post_excerpt' => 'saved ' . microtime() ), true );
		break;
	case 'overlap': // Reads what was there when it began, after the test has said so.
		$wpdb->query( 'START TRANSACTION WITH CONSISTENT SNAPSHOT' );
		$wpdb->get_var( "SELECT COUNT(*) FROM $wpdb->posts" );
		touch( TEST_LOG . '.begun' );
		for ( $i = 0; $i < 600 && ! file_exists( TEST_LOG . '.go' ); $i++ ) {
			usleep( 50000 );
			clearstatcache();
		}
		$answer = shown( $id );
		$wpdb->query( 'COMMIT' );
		break;
	case 'venues':
		$answer = array_map( 'get_the_title', get_posts( array( 'post_type' => 'tribe_venue', 'numberposts' => -1 ) ) );
		break;
	case 'terms':
		$answer = array();
		foreach ( get_terms( array( 'taxonomy' => 'tribe_events_cat', 'hide_empty' => false ) ) as $term ) {
			$answer[ $term->term_id ] = array( $term->name, $term->count );
		}
		break;
	case 'passwords': // With "write" it stores all of them, as it does when one is used.
		$user   = get_user_by( 'login', $_GET['login'] );
		$answer = array();
		foreach ( WP_Application_Passwords::get_user_application_passwords( $user->ID ) as $password ) {
			$answer[] = $password['name'];
		}
		if ( isset( $_GET['write'] ) ) {
			WP_Application_Passwords::record_application_password_usage( $user->ID, $password['uuid'] );
		}
		break;
	case 'option':
		$answer = get_option( $_GET['name'] );
		break;
	case 'flush':
		$answer = wp_cache_flush();
		break;
	default:
		$answer = null;
}
header( 'Content-Type: application/json' );
echo wp_json_encode( array( 'answer' => $answer, 'queries' => $wpdb->num_queries ) );
