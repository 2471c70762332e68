<?php
/**
 * A persistent object cache on Redis for the test, as wp-content/object-cache.php: what is set stays until it is deleted.
 */

class WP_Object_Cache {
	private $redis;
	private $kept   = array();
	private $global = array();
	private $alone  = array(); // groups that are not kept beyond a request

	public function __construct() {
		$this->redis = new Redis();
		$this->redis->connect( TEST_REDIS );
	}
	private function key( $key, $group ) {
		$group = $group ? $group : 'default';
		$site  = in_array( $group, $this->global, true ) ? '' : get_current_blog_id() . ':';
		return $site . $group . ':' . $key;
	}
	private function keeps( $group ) {
		return ! in_array( $group ? $group : 'default', $this->alone, true );
	}
	public function groups( $kind, $groups ) {
		$this->$kind = array_merge( $this->$kind, (array) $groups );
	}
	public function get( $key, $group, $force, &$found ) {
		$name = $this->key( $key, $group );
		if ( ( $force || ! array_key_exists( $name, $this->kept ) ) && $this->keeps( $group ) ) {
			$stored = $this->redis->get( $name );
			if ( false === $stored ) {
				unset( $this->kept[ $name ] );
			} else {
				$this->kept[ $name ] = unserialize( $stored );
			}
		}
		$found = array_key_exists( $name, $this->kept );
		if ( ! $found ) {
			return false;
		}
		return is_object( $this->kept[ $name ] ) ? clone $this->kept[ $name ] : $this->kept[ $name ];
	}
	public function set( $key, $value, $group ) {
		$name                = $this->key( $key, $group );
		$this->kept[ $name ] = is_object( $value ) ? clone $value : $value;
		return ! $this->keeps( $group ) || $this->redis->set( $name, serialize( $value ) );
	}
	public function add( $key, $value, $group ) {
		if ( wp_suspend_cache_addition() ) {
			return false;
		}
		$this->get( $key, $group, false, $found );
		return ! $found && $this->set( $key, $value, $group );
	}
	public function delete( $key, $group ) {
		$name  = $this->key( $key, $group );
		$there = array_key_exists( $name, $this->kept );
		unset( $this->kept[ $name ] );
		return (bool) ( $this->keeps( $group ) ? $this->redis->del( $name ) : $there );
	}
	public function flush() {
		$this->kept = array();
		return $this->redis->flushDB();
	}
}

function wp_cache_init() {
	$GLOBALS['wp_object_cache'] = new WP_Object_Cache();
}
function wp_cache_get( $key, $group = '', $force = false, &$found = null ) {
	return $GLOBALS['wp_object_cache']->get( $key, $group, $force, $found );
}
function wp_cache_set( $key, $data, $group = '', $expire = 0 ) {
	return $GLOBALS['wp_object_cache']->set( $key, $data, $group );
}
function wp_cache_add( $key, $data, $group = '', $expire = 0 ) {
	return $GLOBALS['wp_object_cache']->add( $key, $data, $group );
}
function wp_cache_replace( $key, $data, $group = '', $expire = 0 ) {
	wp_cache_get( $key, $group, false, $found );
	return $found && wp_cache_set( $key, $data, $group );
}
function wp_cache_delete( $key, $group = '' ) {
	return $GLOBALS['wp_object_cache']->delete( $key, $group );
}
function wp_cache_flush() {
	return $GLOBALS['wp_object_cache']->flush();
}
function wp_cache_incr( $key, $offset = 1, $group = '' ) {
	$value = wp_cache_get( $key, $group, false, $found );
	return $found && wp_cache_set( $key, $value + $offset, $group ) ? $value + $offset : false;
}
function wp_cache_decr( $key, $offset = 1, $group = '' ) {
	return wp_cache_incr( $key, -$offset, $group );
}
function wp_cache_close() {
	return true;
}
function wp_cache_add_global_groups( $groups ) {
	$GLOBALS['wp_object_cache']->groups( 'global', $groups );
}
function wp_cache_add_non_persistent_groups( $groups ) {
	$GLOBALS['wp_object_cache']->groups( 'alone', $groups );
}
function wp_cache_switch_to_blog( $blog_id ) {}
