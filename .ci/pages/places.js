const direction = (e) => getComputedStyle(e).direction, box = (e) => e.getBoundingClientRect();
const part = (e, text) => { // where a part of the text of an element is
	const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), range = document.createRange();
	while (texts.nextNode()) {
		const from = texts.currentNode.data.indexOf(text);
		if (from < 0) continue;
		range.setStart(texts.currentNode, from);
		range.setEnd(texts.currentNode, from + text.length);
		return range.getBoundingClientRect();
	}
	throw new Error(text + ' is not in ' + e.outerHTML);
};
const wrong = [], want = (what, is) => { if (!is) wrong.push(what); };
const one = (selector) => document.querySelector(selector);
