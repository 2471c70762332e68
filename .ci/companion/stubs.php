<?php
/**
 * What the companion calls of WordPress, each of which says that it was called: loads the companion and has it follow rows.
 */
error_reporting( E_ALL );
set_error_handler(
	function ( $level, $message, $file, $line ) {
		throw new ErrorException( $message, 0, $level, $file, $line );
	}
);
define( 'ABSPATH', '/' );

$cache     = array(); // by group and key
$multisite = false;

function say( $name, $arguments ) {
	echo $name, ' ', json_encode( $arguments ), "\n";
}

foreach ( array( 'clean_post_cache', 'clean_term_cache', 'clean_user_cache', 'clean_comment_cache', 'do_action', 'wp_cache_set_posts_last_changed' ) as $name ) {
	eval( "function $name( ...\$arguments ) { say( '$name', \$arguments ); }" );
}

function add_action( $name, $callback, $priority ) {
	if ( ! is_callable( $callback ) || ! in_array( $priority, array( PHP_INT_MIN, PHP_INT_MAX ), true ) ) {
		throw new Exception( "add_action $name" );
	}
	say( 'add_action', array( $name, $callback ) );
}

function wp_installing() {
	return false;
}

function get_taxonomies() {
	return array( 'post_tag' => 'post_tag' );
}

function is_multisite() {
	return $GLOBALS['multisite'];
}

function get_current_network_id() {
	return 1;
}

function wp_cache_get( $key, $group = '', $force = false ) {
	return $GLOBALS['cache'][ $group ][ $key ] ?? false;
}

function wp_cache_set( $key, $value, $group = '' ) {
	say( 'wp_cache_set', array( $key, 'last_changed' === $key || 'position' === $key ? '' : $value, $group ) );
	$GLOBALS['cache'][ $group ][ $key ] = $value;
	return true;
}

function wp_cache_delete( $key, $group = '' ) {
	say( 'wp_cache_delete', array( $key, $group ) );
	unset( $GLOBALS['cache'][ $group ][ $key ] );
	return true;
}

function wp_cache_delete_multiple( $keys, $group = '' ) {
	say( 'wp_cache_delete_multiple', array( $keys, $group ) );
	return array();
}

function wp_cache_flush() {
	say( 'wp_cache_flush', array() );
	return true;
}

class Database {
	public $prefix = 'wp_';
	public $rows   = array();

	public function suppress_errors( $suppress = true ) {
		return false;
	}

	public function prepare( $query, ...$arguments ) {
		$arguments = is_array( $arguments[0] ) ? $arguments[0] : $arguments;
		return vsprintf( str_replace( '%s', "'%s'", $query ), $arguments );
	}

	public function esc_like( $text ) {
		return addcslashes( $text, '_%\\' );
	}

	public function get_var( $query ) {
		return 'wp_yoast_indexable';
	}

	public function query( $query ) {
		say( 'query', array( $query ) );
		return 1;
	}

	public function get_results( $query ) {
		say( 'get_results', array( $query ) );
		return false === strpos( $query, 'MAX( number )' ) ? $this->rows : array( (object) array( 'number' => '7' ) );
	}
}

$wpdb = new Database();

require '/companion.php';

function row( $number, $age, $posts = '', $terms = '', $users = '', $options = '', $comments = '' ) {
	return (object) compact( 'number', 'age', 'posts', 'terms', 'users', 'comments', 'options' );
}

function request( ...$rows ) {
	$GLOBALS['wpdb']->rows = $rows;
	Agenda_Companion::read();
	Agenda_Companion::finish();
}

ini_set( 'log_errors', '1' ); // what the companion catches and logs is an error here
ini_set( 'error_log', '/logged' );
request();
request( row( '8', '1', '12,13', 'tribe_events_cat:5,post_tag:6', '3', 'tribe_events_cat_children' ), row( '9', '0', '12' ) );
request( row( '8', '90', '12,13', 'tribe_events_cat:5', '3' ), row( '9', '0', '12' ), row( '10', '0', '', '', '', 'siteurl,home' ) );
$multisite                      = true;
$cache['users'][3]              = (object) array( 'user_login' => 'ann', 'user_email' => 'a@b.example', 'user_nicename' => '' );
$cache['options']['notoptions'] = array( 'siteurl' => true, 'other' => true );
request( row( '11', '0', '', '', '3', 'siteurl', '20,21' ) );
$cache['agenda_companion']['position']['read'] -= 80001;
request( row( '12', '0', implode( ',', range( 1, 2001 ) ) ) );
if ( file_exists( '/logged' ) ) {
	echo file_get_contents( '/logged' );
	exit( 1 );
}
echo "done\n";
