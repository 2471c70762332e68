package calendar

// FieldInteger is the type of a Param, but not of a Field: an integer.
const FieldInteger = "integer"

// Param declares a parameter of a Route, or a member of its answer.
type Param struct {
	// Name is the name of the parameter: lower-case letters, digits and underscores.
	Name string

	// Type is FieldText (which may contain line breaks here), FieldInteger, FieldNumber, FieldYesNo, FieldDate,
	// FieldChoice or FieldList.
	Type string

	// Required rejects requests without the parameter, or in which it is an empty string or list. Variables of the path
	// are always required.
	Required bool

	// Default is the value if a request does not contain the parameter: a string, an int, a float64 or a bool. Default:
	// none.
	Default any

	// Choices are the values of a FieldChoice.
	Choices []string

	// Min and Max are the limits of the values of a FieldInteger or a FieldNumber. Max also limits the characters of a
	// FieldText and the elements of a FieldList. nil is no limit.
	Min, Max *float64

	// Description describes the parameter in one or two sentences. Texts are its translations, by language tag ("nl").
	// Languages without one use Description.
	Description string
	Texts       map[string]string

	// Example is a value, for the OpenAPI document. Default: none.
	Example any
}
