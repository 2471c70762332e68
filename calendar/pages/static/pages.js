// Buttons that need a script. Without it they are not there: an address can be copied from where the browser shows it, what the builder
// makes can be selected, and a place can be chosen from the list.
(() => {
	'use strict';
	const use = (button, act) => {
		const said = button.nextElementSibling;
		button.hidden = button.parentElement.hidden = false;
		button.addEventListener('click', () => act((text) => { said.textContent = text; }));
	};
	const copy = async (text, field) => {
		field?.select();
		try {
			await navigator.clipboard.writeText(text);
		} catch { // where the page is not from a secure address
			const made = field ?? document.body.appendChild(Object.assign(document.createElement('textarea'), {value: text}));
			made.select();
			const done = document.execCommand('copy');
			if (!field) made.remove();
			return done;
		}
		return true;
	};
	for (const button of document.querySelectorAll('button[data-copy]')) {
		const field = document.getElementById(button.dataset.from);
		use(button, async (say) => { if (await copy(field?.value ?? button.dataset.copy, field)) say(button.dataset.done); });
	}
	for (const button of document.querySelectorAll('button[data-near]')) {
		if (!navigator.geolocation) continue;
		use(button, (say) => navigator.geolocation.getCurrentPosition(({coords}) => {
			const to = new URL(button.form.action);
			for (const [name, value] of new FormData(button.form)) if (value) to.searchParams.set(name, value);
			to.searchParams.set(button.dataset.near, `${coords.latitude.toFixed(2)},${coords.longitude.toFixed(2)}`); // a kilometre is enough
			location.assign(to);
		}, () => say(button.dataset.failed), {maximumAge: 600_000}));
	}
})();
