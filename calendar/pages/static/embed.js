// <agenda-events>: the events of a calendar on any page. It needs this script and answers of the same server, and nothing else: no style,
// picture, cookie or text as HTML. What is between its tags is shown until the events are there, and where they cannot be loaded.
(() => {
	'use strict';
	const home = document.currentScript?.src ? new URL('..', document.currentScript.src).href : '';
	const filters = ['category', 'tag', 'venue', 'organizer', 'q', 'free', 'near', 'limit'];

	const sheet = new CSSStyleSheet();
	sheet.replaceSync(`
		:host { display: block; container-type: inline-size; --line: color-mix(in srgb, currentColor 25%, transparent); }
		:host([hidden]) { display: none; }
		ul { list-style: none; margin: 0; padding: 0; }
		li { padding: .6em 0; border-top: 1px solid var(--line); }
		li:first-child { border-top: 0; }
		a { color: inherit; text-underline-offset: .15em; }
		a:focus-visible, button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
		.title { display: block; font-weight: 600; padding: .15em 0; overflow-wrap: anywhere; }
		.fact { display: block; font-size: .9em; overflow-wrap: anywhere; }
		.state { font-weight: 600; }
		.all { margin: .6em 0 0; }
		.all a, td a { display: inline-block; padding: .15em 0; }
		.steps { display: flex; align-items: center; gap: .5em; margin: 0 0 .5em; }
		.steps b { flex: 1; }
		.steps b::first-letter { text-transform: uppercase; }
		button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: .4em; min-width: 2.75em;
			min-height: 2.75em; cursor: pointer; }
		button:disabled { opacity: .4; cursor: default; }
		table { width: 100%; table-layout: fixed; border-collapse: collapse; }
		th, td { border: 1px solid var(--line); padding: .3em; vertical-align: top; text-align: start; overflow-wrap: anywhere; }
		th { font-size: .85em; }
		td { height: 4.5em; font-size: .85em; }
		td li { border: 0; padding: .15em 0; }
		.today > time { font-weight: 700; text-decoration: underline; }
		.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
		.narrow { display: none; }
		@container (max-width: 34em) { table { display: none; } .narrow { display: block; } }
	`);

	// make makes an element. Texts are children, and stay texts.
	const make = (name, attributes, ...children) => {
		const made = document.createElement(name);
		for (const [key, value] of Object.entries(attributes)) if (value) made.setAttribute(key, value);
		made.append(...children.filter((child) => child));
		return made;
	};
	const link = (address, text, attributes = {}) => /^https?:\/\//.test(address)
		? make('a', {href: address, ...attributes}, text) : make('span', attributes, text);

	class AgendaEvents extends HTMLElement {
		static observedAttributes = ['src', 'view', 'filters', ...filters];
		#root = this.attachShadow({mode: 'open'});
		#place = make('div', {});
		#month = '';
		#asked = null;
		#focus = '';
		#language = '';
		#languages = new MutationObserver(() => { if (this.#lang() !== this.#language) this.#later(); });

		constructor() {
			super();
			this.#root.adoptedStyleSheets = [sheet];
			this.#root.append(make('slot', {}), this.#place);
		}

		connectedCallback() {
			this.#languages.observe(document, {attributeFilter: ['lang'], subtree: true});
			this.#later();
		}
		disconnectedCallback() {
			this.#languages.disconnect();
			this.#asked?.abort();
		}
		attributeChangedCallback() {
			this.#month = '';
			if (this.isConnected) this.#later();
		}

		// several attributes that are set one after the other are one question
		#later() {
			this.#asked?.abort();
			const asked = this.#asked = new AbortController();
			queueMicrotask(() => { if (!asked.signal.aborted) this.#load(asked.signal); });
		}

		// the language of the page around, which may change
		#lang() { return this.closest('[lang]')?.getAttribute('lang') ?? ''; }

		#address() {
			const address = new URL('feed/json/', new URL(this.getAttribute('src') || home, document.baseURI).href.replace(/\/?$/, '/'));
			for (const name of filters) if (this.getAttribute(name)) address.searchParams.set(name, this.getAttribute(name));
			for (const [name, value] of new URLSearchParams(this.getAttribute('filters') ?? '')) address.searchParams.set(name, value);
			const lang = this.#language = this.#lang();
			if (lang) address.searchParams.set('lang', lang);
			if (this.getAttribute('view') === 'month') {
				address.searchParams.set('view', 'month');
				if (this.#month) address.searchParams.set('month', this.#month);
			}
			return address;
		}

		async #load(signal) {
			this.#place.setAttribute('aria-busy', 'true');
			try {
				const answer = await fetch(this.#address(), {signal, credentials: 'omit', referrerPolicy: 'no-referrer'});
				if (!answer.ok) throw new Error(`${answer.status} of ${answer.url}`);
				const feed = await answer.json();
				if (!signal.aborted) this.#show(feed);
			} catch (error) {
				if (signal.aborted) return;
				console.info('agenda-events:', error.message);
				this.#root.replaceChildren(make('slot', {}), this.#place);
				this.#place.replaceChildren();
				this.dispatchEvent(new CustomEvent('agenda-error', {detail: error}));
			} finally {
				if (!signal.aborted) this.#place.removeAttribute('aria-busy');
			}
		}

		#show(feed) {
			const {_agenda: shown, items} = feed;
			const section = make('div', {role: 'group', 'aria-label': feed.title, class: 'shown', lang: feed.language, dir: shown.dir, part: 'events'});
			if (shown.month) section.append(this.#steps(shown), this.#table(shown, items), make('div', {class: 'narrow'}, this.#list(shown, items)));
			else section.append(...this.#lists(shown, items));
			section.append(make('p', {class: 'all'}, link(feed.home_page_url, shown.words.all, {part: 'all'})));
			this.#place.replaceChildren(section);
			this.#root.replaceChildren(this.#place);
			if (this.#focus) this.#root.querySelector(`[data-to=${this.#focus}]`)?.focus();
			this.#focus = '';
			this.dispatchEvent(new CustomEvent('agenda-shown', {detail: items.length}));
		}

		// a search finds past events, too, which follow those to come
		#lists(shown, items) {
			const past = items.filter(({_agenda: e}) => e.past);
			if (!past.length) return [this.#list(shown, items)];
			const next = items.filter(({_agenda: e}) => !e.past);
			const heading = make('p', {class: 'title', role: 'heading', 'aria-level': '3'}, shown.words.past);
			return [next.length && this.#list(shown, next), heading, this.#list(shown, past)].filter(Boolean);
		}

		#list({words}, items) {
			if (!items.length) return make('p', {}, words.none);
			return make('ul', {role: 'list'}, ...items.map(({url, title, language, _agenda: e}) => make('li', {part: 'event'},
				make('time', {class: 'fact', datetime: e.starts}, e.when),
				link(url, title, {class: 'title', lang: language, dir: e.dir, part: 'title'}),
				e.state && make('span', {class: 'fact state'}, e.state),
				(e.place || e.cost) && make('span', {class: 'fact'}, [e.place, e.cost].filter(Boolean).join(' · ')))));
		}

		#steps({month, words}) {
			const step = (to, sign, text) => {
				const button = make('button', {type: 'button', 'aria-label': text, title: text, 'data-to': to}, sign);
				button.disabled = !month[to];
				button.addEventListener('click', () => {
					this.#month = month[to];
					this.#focus = to;
					this.#later();
				});
				return button;
			};
			return make('div', {class: 'steps'}, make('b', {'aria-live': 'polite'}, month.name),
				step('previous', '‹', words.previous), step('next', '›', words.next));
		}

		#table({month, weekdays, today}, items) {
			const body = make('tbody', {});
			const day = new Date(`${month.first}T00:00:00Z`);
			for (const last = new Date(`${month.last}T00:00:00Z`); day <= last;) {
				const row = make('tr', {});
				for (let i = 0; i < 7; i++, day.setUTCDate(day.getUTCDate() + 1)) {
					const date = day.toISOString().slice(0, 10);
					const cell = make('td', {class: date === today && 'today'});
					if (date.startsWith(month.id)) {
						const events = items.filter(({_agenda: e}) => e.first <= date && date <= e.last);
						cell.append(make('time', {datetime: date}, String(day.getUTCDate())));
						if (events.length) cell.append(make('ul', {role: 'list'}, ...events.map(({url, title, language, _agenda: e}) => make('li', {},
							e.state && make('span', {class: 'state'}, `${e.state}: `),
							e.clock && e.first === date && make('span', {}, `${e.clock} `),
							link(url, title, {lang: language, dir: e.dir})))));
					}
					row.append(cell);
				}
				body.append(row);
			}
			return make('table', {part: 'month'}, make('caption', {class: 'hidden'}, month.name), make('thead', {}, make('tr', {},
				...weekdays.map(([short, long]) => make('th', {scope: 'col'}, make('span', {'aria-hidden': 'true'}, short),
					make('span', {class: 'hidden'}, long))))), body);
		}
	}
	if (!customElements.get('agenda-events')) customElements.define('agenda-events', AgendaEvents);
})();
