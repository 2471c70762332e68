// Buttons that copy: without this script they are not there, and what they copy can be selected.
(() => {
	'use strict';
	for (const button of document.querySelectorAll('button[data-copy]')) {
		const field = document.getElementById(button.dataset.copy), said = button.nextElementSibling;
		button.hidden = false;
		button.addEventListener('click', async () => {
			field.select();
			try {
				await navigator.clipboard.writeText(field.value);
			} catch {
				if (!document.execCommand('copy')) return;
			}
			said.textContent = button.dataset.done;
		});
	}
})();
