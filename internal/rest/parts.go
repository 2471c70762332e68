package rest

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
)

// parts reads a multipart form as it arrives.
type parts struct {
	reader  *multipart.Reader
	body    *bounded
	fields  int64 // maximum size of the body without its file
	files   files // that are accepted
	limit   int64 // of the body
	form    *param.Form
	file    *param.File // nil for none
	field   string      // of the file
	claimed int64       // bytes for which memory to parse them is reserved, without those of the file
}

// readAhead is the maximum number of bytes of a body that a multipart.Reader has read but not returned yet.
const readAhead = 4096

// readParts reads a multipart form. A file is accepted if the operation accepts one.
func (r *bodyReader) readParts(boundary string) (*param.Map, error) {
	p := &parts{form: param.NewForm(), fields: r.fields, files: r.files, limit: r.fields + r.files.limit}
	p.body = &bounded{r.from, r.claim, p.limit}
	p.reader = multipart.NewReader(p.body, boundary)
	err := p.readForm()
	var refused *param.Failure
	refuses := errors.As(err, &refused) || errors.Is(err, param.ErrTooMany)
	if err != nil && !refuses {
		return nil, bodyFailure(err)
	}
	p.body.claim = nil // the rest is not kept, but is read, because a client that is still sending may not see its answer
	_, late := io.Copy(io.Discard, p.body)
	switch {
	case refuses:
		return nil, err
	case late != nil:
		return nil, bodyFailure(late)
	case p.others() > p.fields:
		return nil, errTooLarge
	}
	r.deadline.endReading()
	return p.form.Map, nil
}

func (p *parts) readForm() error {
	for n := 0; ; n++ {
		part, err := p.reader.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n == param.MaxFields {
			return param.ErrTooMany
		}
		name := part.FormName()
		if file, is := fileName(part); is {
			err = p.addFile(part, name, file)
		} else if name != "" {
			err = p.addText(part, name)
		}
		if err != nil {
			return err
		}
	}
}

// others returns the number of bytes read that do not belong to the file.
func (p *parts) others() int64 {
	n := p.limit - p.body.left
	if p.file != nil {
		n -= int64(len(p.file.Data))
	}
	return n
}

func (p *parts) addText(part io.Reader, name string) error {
	value, err := io.ReadAll(io.LimitReader(part, p.fields+1))
	if err != nil {
		return err
	}
	n := p.others()
	if n > p.fields+readAhead {
		return errTooLarge
	}
	if err := p.body.claim.Wait(parsing * max(0, n-p.claimed)); err != nil {
		return err
	}
	p.claimed = max(n, p.claimed)
	if err := p.form.Add(name, string(value)); err != nil {
		return err
	}
	if v, _ := p.form.Get(p.field); p.file != nil && v != p.file {
		return param.Refuse(p.field, param.Invalid("fault_file_twice"))
	}
	return nil
}

// addFile adds a file to the form. A file without a name and content is ignored: browsers send it if no file was
// chosen.
func (p *parts) addFile(part io.Reader, field, name string) error {
	content := bufio.NewReader(part)
	if _, err := content.Peek(1); err == io.EOF && name == "" {
		return nil
	}
	if err := p.files.check(field); err != nil {
		return err
	}
	if _, twice := p.form.Get(field); twice {
		return param.Refuse(field, param.Invalid("fault_file_twice"))
	}
	// The bytes are claimed a second time, because a growing buffer uses twice their size.
	data, err := io.ReadAll(&bounded{content, p.body.claim, p.limit})
	if err != nil {
		return err
	}
	p.field, p.file = field, &param.File{Name: name, Data: data}
	return p.form.Add(field, p.file)
}

// fileName returns the name of the file that a part contains, which may be "", and whether it is a file.
func fileName(part *multipart.Part) (name string, is bool) {
	if name = part.FileName(); name != "" {
		return name, true
	}
	_, attributes, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	_, is = attributes["filename"]
	return "", is
}

// files are the files that a caller may send to an operation.
type files struct {
	operation *Operation // whose parameters may be files; nil accepts none
	stored    bool       // there is a place to store them
	limit     int64      // in bytes
}

// files returns the files that a caller may send to an operation.
func (e *Engine) files(o *Operation, by caller.Principal) files {
	f := files{operation: o, stored: e.MaxFile != nil}
	if f.stored {
		f.limit = e.MaxFile(by)
	}
	return f
}

// check returns the error of a file in a field. A file is rejected by the name of its field, so that clients do not
// believe that it was accepted (D74).
func (f *files) check(field string) error {
	switch {
	case !f.operation.takesFile(field):
		return param.Refuse(shownField(field), param.Invalid("fault_file"))
	case !f.stored:
		return param.Refuse(field, param.Invalid("fault_file_store"))
	}
	return nil
}

// takesFile reports whether a field may be a file; a nil Operation accepts none.
func (o *Operation) takesFile(field string) bool {
	return o != nil && slices.ContainsFunc(o.Params, func(p *param.Param) bool { return p.File && p.Name == field })
}

// checkFiles rejects files among the values of an in-process call as it would those of a form.
func (e *Engine) checkFiles(o *Operation, by caller.Principal, values *param.Map) error {
	for _, name := range values.Keys() {
		v, _ := values.Get(name)
		file, ok := v.(*param.File)
		if !ok {
			continue
		}
		may := e.files(o, by)
		if err := may.check(name); err != nil {
			return err
		}
		if int64(len(file.Data)) > e.MaxBody+may.limit { // the same limit as for a form
			return errTooLarge
		}
	}
	return nil
}

// shownField returns the name of a file's field as errors show it.
func shownField(name string) string {
	name = strings.ReplaceAll(strings.ToValidUTF8(name, "\ufffd"), "\x00", "\ufffd")
	if name == "" || len(name) > maxFieldName {
		return "file"
	}
	return name
}

// maxFieldName is the maximum length of a file's field name that an error repeats.
const maxFieldName = 100
