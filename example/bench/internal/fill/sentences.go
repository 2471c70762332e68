package fill

import "strings"

// sentences are what descriptions are made of. In braces stands what is filled in: t a topic, p a person, c a town, n a number.
var sentences = lines(`
Come and enjoy an evening of {t} in the heart of {c}.
{p} has been working on {t} for more than {n} years, and it shows.
Doors open half an hour before the start; latecomers are let in at the first break.
There is room for {n} visitors, so it is wise to book ahead.
The programme brings together {t} and {t}, two worlds that seldom meet.
After the break {p} takes questions from the audience.
No experience is needed: everything is explained on the spot.
Bring comfortable shoes and a coat, since part of the evening takes place outside.
It is edition {n} of a series that began in {c}.
Drinks and something to eat are served by volunteers of the neighbourhood.
Children under twelve come in free of charge with a grown-up.
The hall has step-free access, and a loop for hearing aids.
In the words of {p}: “we do this because nobody else would.”
A small exhibition about {t} can be visited in the foyer.
The proceeds go to the restoration of the old bridge in {c}.
Whoever heard {p} last year in {c} knows what to expect.
We look at {t} from close by and from a distance, with examples from the last {n} years.
The language of the evening is English, with notes in Dutch and French.
Parking is limited; from the station it is a walk of {n} minutes.
Participants get a booklet with exercises, addresses and a short history of {t}.
{p} and {p} met at a course in {c} and have not stopped talking about {t} since.
It is a rare chance to see behind the scenes.
Part of the collection has never been shown before.
The first half is calm, almost silent; the second half is anything but.
A guide shows you round in groups of at most {n}.
Tickets bought online are cheaper, and can be changed until the day before.
What does {t} have to do with {t}? More than you would think.
The jury, with {p} as its chair, announces the winners at the end.
Food allergies? Tell us when you book, and the kitchen takes care of it.
The evening was made possible by the town of {c} and {n} volunteers.
From the first minute to the last, {t} takes centre stage.
A quiet room is available for those who need a moment to themselves.
There is a workshop on {t} in the afternoon, for which you can register at the desk.
Old hands will find something new here, and beginners something to start with.
{p} grew up in {c}, left for {n} years, and came back with a suitcase full of stories.
We end with a walk along the water, weather permitting.
Photographs are allowed, as long as the flash stays off.
Dogs are welcome on the terrace, but not in the hall.
A livestream is available for those who cannot be there.
Earlier evenings about {t} sold out within {n} days.
The setting could not be better: a former warehouse, restored by its neighbours.
At the end of the day everybody takes something home.
This season is all about {t}, and tonight shows why.
{p} reads from new work and signs books afterwards.
Nothing beats {t} on an autumn evening.
For groups of more than {n} we have a special rate; write to us.
The organ, built in {c}, is played only a few times a year.
In case of rain we move to the gymnasium next door.
Our thanks go to {p}, who lent us the material.
It begins with a question, and ends, we hope, with a better one.
`)

// lines splits a list of lines.
func lines(list string) []string { return strings.Split(strings.Trim(list, "\n"), "\n") }
