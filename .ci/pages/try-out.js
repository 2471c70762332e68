(async ([operation, type, typed]) => {
	const appears = async (find) => {
		for (let tries = 0; tries < 600; tries++) {
			if (find()) return find()
			await new Promise((resolve) => setTimeout(resolve, 100))
		}
		throw new Error("not there: " + find)
	}
	const fill = (element, value, event) => {
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set.call(element, value)
		element.dispatchEvent(new Event(event, { bubbles: true }))
		element.dispatchEvent(new FocusEvent("focusout", { bubbles: true })) // else typing is waited for
	}
	const block = await appears(() => document.querySelector("[id$=-" + operation + "]"))
	block.querySelector(".opblock-summary-control").click();
	(await appears(() => block.querySelector(".try-out__btn"))).click()
	fill(await appears(() => block.querySelector(".opblock-section-request-body select")), type, "change")
	for (const [name, value] of Object.entries(typed)) {
		const input = await appears(() => block.querySelector('tr[data-property-name="' + name + '"] :is(input[type=text], select)'))
		fill(input, value, input.matches("select") ? "change" : "input")
	}
	for (const input of block.querySelectorAll(".parameters tr[data-param-in=path] input")) fill(input, "5", "input")
	const sent = new Promise((resolve) => {
		window.fetch = async (url, { body }) => {
			resolve(body)
			return new Response("{}", { headers: { "Content-Type": "application/json" } })
		}
	});
	(await appears(() => block.querySelector(".execute"))).click()
	const body = await sent
	return JSON.stringify(Object.fromEntries(body instanceof FormData ? body : new URLSearchParams(body ?? "")))
})
