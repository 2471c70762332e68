<?php
/**
 * Plugin Name: Agenda Companion
 * Description: Makes WordPress drop its cached copies of what Agenda changed in the same database. See docs/caches.md of Agenda.
 * Version: 1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * License: MIT
 *
 * Copy this file into wp-content/mu-plugins, after "agenda companion install". Each write of Agenda leaves a row with a number in the
 * table {prefix}agenda_told, in its own transaction: ids of posts, terms, users and comments, and names of options. Each request, cron
 * run and command of WordPress reads the rows above the number that it keeps in the object cache itself, so that number and copies are
 * lost together. It deletes the rows of Yoast SEO's index about what changed, which Yoast makes anew, and writes nothing else.
 *
 * It runs twice in a request. At plugins_loaded it deletes the copies themselves, so that nothing reads old ones from then on. At the
 * end of init, when types, taxonomies and addresses are known, it makes the calls that WordPress makes after a write of its own
 * (clean_post_cache() and so on), whose actions caches of pages follow, and fires the action "agenda_changed" with an array:
 * posts => ids, terms => ids by taxonomy, users => ids, comments => ids, options => names.
 *
 * A request that began before a write and ends after it can put an old copy back. So rows of the last minute are followed again
 * every few seconds, and once when they are older than that.
 */

defined( 'ABSPATH' ) || exit;

if ( ! class_exists( 'Agenda_Companion', false ) ) :

	final class Agenda_Companion {

		const AGAIN    = 60;    // seconds for which rows are followed again
		const PAUSE    = 4;     // seconds between that
		const UNKNOWN  = 600;   // how far back rows are followed where no number is known, in seconds
		const LONGEST  = 80000; // seconds without a request after which rows may be gone: they are kept for a day
		const MOST     = 2000;  // items beyond which the whole cache is emptied
		const GROUP    = 'agenda_companion';
		const POSITION = 'position';

		/** @var array{posts: int[], terms: array<string, int[]>, users: int[], comments: int[], options: string[]}|null What is followed in this request. */
		private static $changed;

		/** @var array{floor: int, done: array<int, bool>, again: int, read: int}|null Where the next request begins. */
		private static $next;

		/** Reads the rows and deletes the copies of what they name. */
		public static function read() {
			if ( wp_installing() ) {
				return;
			}
			try {
				$position = wp_cache_get( self::POSITION, self::GROUP, true );
				$now      = time();
				$known    = is_array( $position ) && isset( $position['floor'], $position['done'], $position['again'], $position['read'] );
				$long     = $known && $now - $position['read'] > self::LONGEST;
				if ( ! $known || $long ) {
					$floor = self::query( 'SELECT COALESCE( MAX( number ), 0 ) AS number FROM %TABLE% WHERE moment < UNIX_TIMESTAMP() - %d', self::UNKNOWN );
					if ( ! $floor ) {
						return; // There is no such table.
					}
					$position = array( 'floor' => (int) $floor[0]->number, 'done' => array(), 'again' => $now, 'read' => 0 );
				}
				$rows = self::query(
					'SELECT number, CAST( UNIX_TIMESTAMP() AS SIGNED ) - moment AS age, posts, terms, users, comments, options FROM %TABLE% WHERE number > %d ORDER BY number',
					$position['floor']
				);
				if ( $long ) {
					wp_cache_flush();
				}
				self::follow( $position, $rows, $now );
			} catch ( Throwable $e ) {
				self::log( $e );
			}
		}

		/** Finds out which rows are to be followed now, and where the next request begins. */
		private static function follow( $position, $rows, $now ) {
			$again   = $now - $position['again'] >= self::PAUSE;
			$next    = array( 'floor' => $position['floor'], 'done' => array(), 'again' => $again ? $now : $position['again'], 'read' => $now );
			$changed = array( 'posts' => array(), 'terms' => array(), 'users' => array(), 'comments' => array(), 'options' => array() );
			$follows = false;
			$passed  = true; // All rows so far are done for good.
			foreach ( $rows as $row ) {
				$number = (int) $row->number;
				$now_it = $again || ! isset( $position['done'][ $number ] );
				$passed = $passed && $now_it && (int) $row->age > self::AGAIN;
				if ( $passed ) {
					$next['floor'] = $number;
				} else {
					$next['done'][ $number ] = true;
				}
				if ( $now_it ) {
					$follows = true;
					self::add( $changed, $row );
				}
			}
			if ( $follows ) {
				self::$changed = $changed;
				self::delete( $changed );
			}
			if ( $follows || $next['floor'] !== $position['floor'] || $now - $position['read'] >= self::AGAIN ) {
				self::$next = $next; // Stored when all of it is done; a request that ends before leaves it to the next one.
			}
		}

		/** Adds what a row names. */
		private static function add( &$changed, $row ) {
			foreach ( array( 'posts', 'users', 'comments' ) as $kind ) {
				foreach ( self::elements( $row->$kind ) as $id ) {
					$changed[ $kind ][ (int) $id ] = (int) $id;
				}
			}
			foreach ( self::elements( $row->options ) as $name ) {
				$changed['options'][ $name ] = $name;
			}
			foreach ( self::elements( $row->terms ) as $term ) {
				$at = strrpos( $term, ':' );
				if ( $at ) {
					$id = (int) substr( $term, $at + 1 );
					$changed['terms'][ substr( $term, 0, $at ) ][ $id ] = $id;
				}
			}
		}

		private static function elements( $list ) {
			return '' === (string) $list ? array() : explode( ',', $list );
		}

		/** Deletes the copies, without actions: types, taxonomies and addresses are not known yet. */
		private static function delete( $changed ) {
			if ( count( $changed['posts'] ) + count( $changed['terms'], COUNT_RECURSIVE ) + count( $changed['users'] ) + count( $changed['comments'] ) > self::MOST && wp_cache_flush() ) {
				return;
			}
			$keys       = array_values( $changed['posts'] );
			$taxonomies = array_unique( array_merge( array_keys( $changed['terms'] ), array_values( get_taxonomies() ) ) );
			if ( $keys ) {
				wp_cache_delete_multiple( $keys, 'posts' );
				wp_cache_delete_multiple( $keys, 'post_meta' );
				foreach ( $taxonomies as $taxonomy ) {
					wp_cache_delete_multiple( $keys, $taxonomy . '_relationships' );
				}
				wp_cache_set( 'last_changed', microtime(), 'posts' );
			}
			foreach ( $changed['terms'] as $taxonomy => $ids ) {
				wp_cache_delete_multiple( array_values( $ids ), 'terms' );
				wp_cache_delete_multiple( array_values( $ids ), 'term_meta' );
				wp_cache_delete( 'all_ids', $taxonomy );
				wp_cache_delete( 'get', $taxonomy );
			}
			if ( $keys || $changed['terms'] ) {
				wp_cache_set( 'last_changed', microtime(), 'terms' );
			}
			foreach ( $changed['users'] as $id ) {
				$user = (object) wp_cache_get( $id, 'users' );
				foreach ( array( 'user_login' => 'userlogins', 'user_email' => 'useremail', 'user_nicename' => 'userslugs' ) as $field => $group ) {
					if ( ! empty( $user->$field ) ) {
						wp_cache_delete( $user->$field, $group );
					}
				}
				wp_cache_delete( $id, 'users' );
				wp_cache_delete( $id, 'user_meta' );
				wp_cache_set( 'last_changed', microtime(), 'users' );
			}
			if ( $changed['comments'] ) {
				wp_cache_delete_multiple( array_values( $changed['comments'] ), 'comment' );
				wp_cache_set( 'last_changed', microtime(), 'comment' );
			}
			self::delete_options( $changed['options'] );
		}

		/** Deletes the copies of options, and that they are missing. */
		private static function delete_options( $names ) {
			if ( ! $names ) {
				return;
			}
			$network = is_multisite() ? get_current_network_id() . ':' : '';
			$missing = wp_cache_get( 'notoptions', 'options' );
			if ( is_array( $missing ) && array_intersect_key( $missing, $names ) ) {
				wp_cache_set( 'notoptions', array_diff_key( $missing, $names ), 'options' );
			}
			foreach ( $names as $name ) {
				wp_cache_delete( $name, 'options' );
				if ( $network ) {
					wp_cache_delete( $network . $name, 'site-options' );
				}
			}
			if ( $network ) {
				wp_cache_delete( $network . 'notoptions', 'site-options' );
			}
			wp_cache_delete( 'alloptions', 'options' );
		}

		/** Makes WordPress's own calls, fires the action, and stores where the next request begins. */
		public static function finish() {
			if ( self::$changed ) {
				$changed = self::$changed;
				foreach ( $changed['posts'] as $id ) {
					self::call( 'clean_post_cache', $id );
				}
				foreach ( $changed['terms'] as $taxonomy => $ids ) {
					self::call( 'clean_term_cache', array_values( $ids ), $taxonomy, false ); // The tree of the taxonomy is an option, which Agenda writes.
				}
				foreach ( $changed['users'] as $id ) {
					self::call( 'clean_user_cache', $id );
				}
				if ( $changed['comments'] ) {
					self::call( 'clean_comment_cache', array_values( $changed['comments'] ) );
				}
				if ( $changed['posts'] ) { // Of a post that is gone clean_post_cache() does nothing.
					self::call( 'wp_cache_set_posts_last_changed' );
				}
				self::call( array( __CLASS__, 'unindex' ), $changed );
				self::call(
					'do_action',
					'agenda_changed',
					array(
						'posts'    => array_values( $changed['posts'] ),
						'terms'    => array_map( 'array_values', $changed['terms'] ),
						'users'    => array_values( $changed['users'] ),
						'comments' => array_values( $changed['comments'] ),
						'options'  => array_values( $changed['options'] ),
					)
				);
				self::$changed = null;
			}
			if ( self::$next ) {
				self::call( 'wp_cache_set', self::POSITION, self::$next, self::GROUP );
				self::$next = null;
			}
		}

		/** Deletes the rows of Yoast SEO about what changed, where its table exists. */
		public static function unindex( $changed ) {
			global $wpdb;
			$terms = $changed['terms'] ? array_merge( ...array_map( 'array_values', array_values( $changed['terms'] ) ) ) : array();
			$table = $wpdb->prefix . 'yoast_indexable';
			if ( ! $changed['posts'] && ! $terms || $wpdb->get_var( $wpdb->prepare( 'SHOW TABLES LIKE %s', $wpdb->esc_like( $table ) ) ) !== $table ) {
				return;
			}
			foreach ( array( 'post' => array_values( $changed['posts'] ), 'term' => $terms ) as $kind => $ids ) {
				foreach ( array_chunk( $ids, 500 ) as $part ) {
					$marks = implode( ',', array_fill( 0, count( $part ), '%d' ) );
					self::quietly( $wpdb->prepare( "DELETE FROM `$table` WHERE object_type = %s AND object_id IN ($marks)", array_merge( array( $kind ), $part ) ), 'query' );
				}
			}
		}

		/** Returns the rows of a query of the table, none where there is no table. */
		private static function query( $sql, $number ) {
			global $wpdb;
			$sql  = str_replace( '%TABLE%', '`' . $wpdb->prefix . 'agenda_told`', $sql );
			$rows = self::quietly( $wpdb->prepare( $sql, $number ), 'get_results' );
			return is_array( $rows ) ? $rows : array();
		}

		/** Runs a statement; what fails is neither shown nor logged. */
		private static function quietly( $sql, $method ) {
			global $wpdb;
			$was    = $wpdb->suppress_errors( true );
			$result = $wpdb->$method( $sql );
			$wpdb->suppress_errors( $was );
			return $result;
		}

		/** Calls a function that others may have hooked, which must not end the request. */
		private static function call( $callback, ...$arguments ) {
			try {
				$callback( ...$arguments );
			} catch ( Throwable $e ) {
				self::log( $e );
			}
		}

		private static function log( $e ) {
			error_log( 'Agenda Companion: ' . $e->getMessage() ); // phpcs:ignore WordPress.PHP.DevelopmentFunctions
		}
	}

	add_action( 'plugins_loaded', array( 'Agenda_Companion', 'read' ), PHP_INT_MIN );
	add_action( 'init', array( 'Agenda_Companion', 'finish' ), PHP_INT_MAX );

endif;
