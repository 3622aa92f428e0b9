package main

import (
	"bytes"
	"fmt"
	"strings"
)

// structWriter collects the fields of a struct and the code that walks them.
type structWriter struct {
	*emitter
	name   string
	fields bytes.Buffer
	code   bytes.Buffer
	types  map[string]string // of the fields, by Go name
	layout map[string]node   // of the fields, by their names in the schema
	goName map[string]string // of the fields, by their names in the schema

	lastHeader string // of the block that ended at lastEnd
	lastEnd    int
}

// structType writes a struct with its method wire.
func (e *emitter) structType(name string, t node, doc string) error {
	if e.open == nil {
		e.open = map[string]bool{}
	}
	e.open[name] = true
	defer delete(e.open, name)
	w := &structWriter{
		emitter: e, name: name,
		types: map[string]string{}, layout: map[string]node{}, goName: map[string]string{},
	}
	_, options := constructor(t)
	if err := w.container(list(options), ""); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out := &e.types
	fmt.Fprintf(out, "%stype %s struct {\n%s}\n\n", doc, name, w.fields.String())
	code := w.code.String()
	if name == "MetadataEntry" {
		// The list reads the index, of which one value is its end.
		_, code, _ = strings.Cut(code, "\n")
	}
	if name == "Component" {
		// Its value is also read alone.
		_, code, _ = strings.Cut(code, "\n")
		fmt.Fprintf(out, "func (v *%s) value(c *coder) {\n%s}\n\n", name, code)
		return nil
	}
	if w.code.Len() == 0 {
		fmt.Fprintf(out, "func (v *%s) wire(*coder, string) {}\n\n", name)
		return nil
	}
	fmt.Fprintf(out, "func (v *%s) wire(c *coder, name string) {\nc.push(name)\n%sc.pop()\n}\n\n", name, code)
	return nil
}

// container adds the fields of a container; prefix goes before their names if
// they are there already with another type.
func (w *structWriter) container(fields []any, prefix string) error {
	condition := ""
	for _, f := range fields {
		f := object(f)
		next := versionCondition(f)
		if next != condition {
			if condition != "" {
				w.code.WriteString("}\n")
			}
			if condition = next; next != "" {
				fmt.Fprintf(&w.code, "if %s {\n", next)
			}
		}
		name, _ := f["name"].(string)
		if name == "" {
			if kind, _ := constructor(f["type"]); kind == "bitfield" {
				name = "column"
			}
		}
		if err := w.field(name, f["type"], prefix); err != nil {
			return fmt.Errorf("field %q: %w", name, err)
		}
	}
	if condition != "" {
		w.code.WriteString("}\n")
	}
	return nil
}

func versionCondition(f map[string]any) string {
	switch {
	case f["since"] != nil:
		return "c.version >= registry.V26_2"
	case f["until"] != nil:
		return "c.version < registry.V26_2"
	}
	return ""
}

// field adds one field. One without a name is a switch whose cases are
// containers.
func (w *structWriter) field(name string, t node, prefix string) error {
	kind, options := constructor(t)
	if kind == "switch" {
		return w.choice(name, object(options), prefix)
	}
	if kind == "void" {
		return nil
	}
	if kind == "container" && name == "" {
		return w.container(list(options), prefix)
	}
	goName := w.nameOf(name)
	w.layout[name], w.goName[name] = t, goName
	typ, err := w.emitter.goType(t, w.name+"."+goName, limits[w.name+"."+goName])
	if err != nil {
		return err
	}
	if old, ok := w.types[goName]; ok && old != typ.name {
		if prefix == "" {
			return fmt.Errorf("there already as %s, now %s", old, typ.name)
		}
		goName = prefix + goName
		w.goName[name] = goName
	}
	if _, ok := w.types[goName]; !ok {
		w.types[goName] = typ.name
		fmt.Fprintf(&w.fields, "%s %s\n", goName, typ.name)
	}
	w.code.WriteString(call(typ, "v."+goName, snake(goNameToField(goName))) + "\n")
	return nil
}

func goNameToField(goName string) string { return strings.ReplaceAll(goName, "IDs", "Ids") }

func (w *structWriter) nameOf(name string) string {
	if n, ok := typeFieldNames[w.name+"."+name]; ok {
		return n
	}
	if n, ok := fieldNames[name]; ok {
		return n
	}
	return camel(name)
}

// call is the statement that walks a field.
func call(t goType, expr, name string) string {
	if method, ok := strings.CutPrefix(t.walk, "(*"+t.name+")."); ok {
		return fmt.Sprintf("%s.%s(c, %s)", expr, method, quote(name))
	}
	// A function literal that only passes its arguments on is written out.
	head := fmt.Sprintf("func(v *%s, c *coder, name string) { ", t.name)
	if body, ok := strings.CutPrefix(t.walk, head); ok {
		body = strings.TrimSuffix(body, " }")
		fn, args, _ := strings.Cut(body, "(v, c, name")
		return fn + "(&" + expr + ", c, " + quote(name) + args
	}
	return fmt.Sprintf("%s(&%s, c, %s)", t.walk, expr, quote(name))
}
