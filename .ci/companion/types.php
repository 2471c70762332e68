<?php
/**
 * Registers the types and the taxonomy of The Events Calendar, as a must-use plugin of the test.
 */
add_action(
	'init',
	function () {
		foreach ( array( 'tribe_events', 'tribe_venue', 'tribe_organizer' ) as $type ) {
			register_post_type( $type, array( 'public' => true, 'supports' => array( 'title', 'editor', 'excerpt', 'revisions' ), 'taxonomies' => 'tribe_events' === $type ? array( 'post_tag' ) : array() ) );
		}
		register_taxonomy( 'tribe_events_cat', 'tribe_events', array( 'hierarchical' => true ) );
	}
);
add_action(
	'agenda_changed',
	function ( $changed ) {
		file_put_contents( TEST_LOG, wp_json_encode( $changed ) . "\n", FILE_APPEND );
	}
);
