"use strict";
// Helps with the form of an event: the end follows the start, the end of a series is offered, places are found while one is typed, and a
// picture is shown before it is sent. Everything works without it.
(() => {
	const form = document.querySelector("form.edit[data-names]");
	if (!form) return;
	const at = name => form.elements.namedItem(name);
	const minutes = text => /^\d\d:\d\d/.test(text) ? 60 * text.slice(0, 2) + +text.slice(3, 5) : NaN;
	const clock = n => [Math.floor(n / 60) % 24, n % 60].map(x => String(x).padStart(2, "0")).join(":");
	const from = at("from"), to = at("to"), day = at("day"), repeats = at("repeats"), until = at("until"), endless = at("endless");

	if (from && to) {
		let before = minutes(from.value);
		from.addEventListener("change", () => {
			const now = minutes(from.value), end = minutes(to.value);
			if (!isNaN(now) && !isNaN(end) && !isNaN(before)) to.value = clock(end + now - before + 1440);
			else if (!isNaN(now) && isNaN(before) && !to.value) to.value = clock(now + 120);
			before = now;
		});
	}
	if (repeats && until && day) {
		const rule = form.querySelector(".rule"), ends = form.querySelector(".ends");
		let offered = until.value === "";
		const show = () => {
			ends.hidden = repeats.value === "no";
			rule.hidden = repeats.value !== "own";
			if (ends.hidden || rule.hidden === false || !offered || !day.value || endless.checked) return;
			const d = new Date(day.value + "T00:00Z");
			d.setUTCFullYear(d.getUTCFullYear() + 1);
			if (!isNaN(d)) until.value = d.toISOString().slice(0, 10);
		};
		until.addEventListener("input", () => { offered = false; });
		endless.addEventListener("change", () => { if (endless.checked) until.value = ""; show(); });
		repeats.addEventListener("change", show);
		day.addEventListener("change", show);
		show();
	}

	const venue = at("venue"), list = document.getElementById("names-venue");
	if (venue && list) {
		let timer, asked = 0;
		venue.addEventListener("input", () => {
			clearTimeout(timer);
			const text = venue.value.trim(), mine = ++asked;
			if (text.length < 2) return;
			timer = setTimeout(async () => {
				try {
					const answer = await fetch(form.dataset.names + "?q=" + encodeURIComponent(text), { credentials: "same-origin" });
					if (!answer.ok || mine !== asked) return;
					const names = (await answer.text()).split("\n").filter(Boolean);
					list.replaceChildren(...names.map(name => Object.assign(document.createElement("option"), { value: name })));
				} catch { /* what is in the list stays */ }
			}, 200);
		});
	}

	const buttons = form.querySelectorAll("button");
	const rest = off => buttons.forEach(button => { button.disabled = off; });
	form.addEventListener("submit", () => setTimeout(() => rest(true))); // one that is sent twice is stored twice
	addEventListener("pageshow", () => rest(false));

	const file = at("image_file");
	if (file) {
		file.addEventListener("change", () => {
			let shown = form.querySelector("img.thumb");
			const chosen = file.files[0];
			if (!chosen || !chosen.type.startsWith("image/")) return;
			if (!shown) {
				shown = Object.assign(document.createElement("img"), { className: "thumb", alt: "" });
				file.closest("label").before(shown);
			}
			if (shown.src.startsWith("blob:")) URL.revokeObjectURL(shown.src);
			shown.src = URL.createObjectURL(chosen);
		});
	}
})();
