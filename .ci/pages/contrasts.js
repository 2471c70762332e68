const canvas = Object.assign(document.createElement('canvas'), {width: 1, height: 1}).getContext('2d', {willReadFrequently: true});
const luminance = (...colours) => {
	for (const c of colours) {
		canvas.fillStyle = c;
		canvas.fillRect(0, 0, 1, 1);
	}
	const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => c / 255)
		.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (e, colour = getComputedStyle(e).color) => {
	const grounds = [];
	for (let at = e; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
	const [a, b] = [luminance(...grounds), luminance(...grounds, colour)];
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
