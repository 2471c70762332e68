package render

// maxMade is the greatest number of blocks in a text that produce much more HTML than they contain.
const maxMade = 500

// makes counts such a block, and reports whether it may be rendered.
func (r *blockRenderer) makes() bool {
	r.made++
	return r.made <= maxMade
}

// frame returns the HTML for a block that is not rendered.
func (r *blockRenderer) frame(b *block) string {
	if frame := frames[b.name]; frame != "" && r.makes() {
		return frame
	}
	return ""
}

// frames contains what The Events Calendar's blocks render in an event's content outside of a page: boxes without the
// event's data, which answers contain in other fields.
var frames = map[string]string{
	"tribe/event-datetime": `<div  class="tribe-events-schedule tribe-clearfix" >
	<p class="tribe-events-schedule__datetime">
		<span class="tribe-events-schedule__date tribe-events-schedule__date--start">
					</span>

					<span class="tribe-events-schedule__separator tribe-events-schedule__separator--date">
				 @ 			</span>
			<span class="tribe-events-schedule__time tribe-events-schedule__time--start">
							</span>
		
			</p>
</div>`,
	"tribe/event-venue": `<div  class="tribe-block tribe-block__venue tribe-clearfix" >
	
		
	</div>`,
	"tribe/event-price": `<div  class="tribe-block tribe-block__event-price" >
		</div>`,
	"tribe/event-category": `<div  class="tribe-events-single-section tribe-events-section-category tribe-clearfix" >
	</div>`,
	"tribe/event-tags": `<div  class="tribe-events-single-section tribe-events-section-tags tribe-clearfix" >
	</div>`,
	"tribe/classic-event-details": `<div  class="tribe-events-single-section tribe-events-event-meta primary tribe-clearfix" >
	
	
<div class="tribe-events-meta-group tribe-events-meta-group-details">
	<h3 class="tribe-events-single-section-title">
					Details		
	</h3>
	<ul class="tribe-events-meta-list">

		
			<li class="tribe-events-meta-item">
				<span class="tribe-events-meta-label">Date:</span>
				<span class="tribe-events-meta-value">
					<abbr class="tribe-events-abbr tribe-events-start-date published dtstart" title="">  </abbr>
				</span>
			</li>

			<li class="tribe-events-meta-item">
				<span class="tribe-events-meta-label">Time:</span>
				<span class="tribe-events-meta-value">
					<div class="tribe-events-abbr tribe-events-start-time published dtstart" title="">
																	</div>
				</span>
			</li>

		
		
		
		
		
		
			</ul>
</div>
	
	</div>`,
}
