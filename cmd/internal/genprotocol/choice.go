package main

import (
	"fmt"
	"slices"
	"strings"
)

// maxInline is how many types a choice may be of and still be fields of the
// struct; one of more is a field of type Value.
const maxInline = 4

// unions are types whose choice is a Value however few there are, with the
// form of the cases' names.
var unions = map[string]string{
	"Component": "%sComponent", "Particle": "%sParticle", "MetadataEntry": "Metadata%s", "SlotDisplay": "Display%s",
	"RecipeDisplay": "Recipe%s", "DebugUpdate": "Debug%s", "DebugOccurrence": "DebugOccurred%s",
}

// group is the cases of one type.
type group struct {
	labels []string
	layout node
}

// choice adds what a switch chooses among.
func (w *structWriter) choice(name string, options map[string]any, prefix string) error {
	compare, _ := options["compareTo"].(string)
	selector, flag, _ := strings.Cut(compare, "/")
	layout, ok := w.layout[selector]
	if !ok {
		return fmt.Errorf("no field %s to compare with", compare)
	}
	if named, ok := layout.(string); ok && list(w.schema.types[named]) != nil {
		layout = w.schema.types[named]
	}
	groups, err := w.groups(layout, options)
	if err != nil {
		return err
	}
	field := "v." + w.goName[selector]
	fallback := options["default"]
	if fallback == "void" {
		fallback = nil
	}
	kinds := map[string]bool{}
	for _, g := range groups {
		if g.layout != "void" {
			kinds[jsonOf(g.layout)] = true
		}
	}
	_, union := unions[w.name]
	if union = union && len(kinds) > 1 || len(kinds) > maxInline; union {
		return w.union(name, field, layout, groups)
	}
	if condition := boolean(layout, field, flag, groups, fallback); condition != nil {
		return w.branches(name, condition, prefix)
	}
	return w.cases(name, field, layout, groups, fallback, prefix)
}

// groups puts the cases of one type together.
func (w *structWriter) groups(layout node, options map[string]any) ([]group, error) {
	cases := object(options["fields"])
	rank := func(string) int { return 0 }
	if kind, o := constructor(layout); kind == "mapper" {
		values, err := mapping(o)
		if err != nil {
			return nil, err
		}
		rank = func(label string) int { return slices.Index(values, label) }
	}
	var groups []group
	for _, label := range sortedKeys(cases, rank) {
		i := slices.IndexFunc(groups, func(g group) bool { return jsonOf(g.layout) == jsonOf(cases[label]) })
		if i < 0 {
			groups = append(groups, group{layout: cases[label]})
			i = len(groups) - 1
		}
		groups[i].labels = append(groups[i].labels, label)
	}
	return groups, nil
}

// branch is an arm of an if.
type branch struct {
	condition string
	layout    node
	label     string
}

// boolean returns the arms of a choice by a truth value or a bit, or nil if it
// is by something else.
func boolean(layout node, field, flag string, groups []group, fallback node) []branch {
	kind, _ := constructor(layout)
	condition := field
	switch {
	case kind == "bitflags" && flag != "":
		condition = field + "&" + "%s" + camel(flag) + " != 0"
	case kind != "bool":
		return nil
	}
	var arms []branch
	for _, g := range groups {
		label := g.labels[0]
		switch label {
		case "true", "1":
			arms = append([]branch{{condition, g.layout, "True"}}, arms...)
		default:
			arms = append(arms, branch{"!" + condition, g.layout, "False"})
		}
	}
	if fallback != nil && len(arms) == 1 {
		arms = append(arms, branch{"!" + condition, fallback, "False"})
	}
	return arms
}

func (w *structWriter) branches(name string, arms []branch, prefix string) error {
	header := ""
	for i, arm := range arms {
		condition := arm.condition
		if strings.Contains(condition, "%s") {
			field, _, _ := strings.Cut(strings.TrimPrefix(condition, "v."), "&")
			condition = fmt.Sprintf(condition, w.types[field])
		}
		if i == 0 {
			header = fmt.Sprintf("if %s {\n", condition)
			w.openBlock(header)
		} else {
			header = "" // with an else there is no going on
			w.code.WriteString("} else {\n")
		}
		if err := w.arm(name, arm.layout, prefix); err != nil {
			return err
		}
	}
	w.closeBlock(header)
	return nil
}

// arm adds the fields of one case. Containers give theirs to the struct.
func (w *structWriter) arm(name string, layout node, prefix string) error {
	if t, ok := layout.(string); ok && name == "" {
		layout = w.schema.types[t]
	}
	if kind, options := constructor(layout); kind == "container" {
		return w.container(list(options), prefix)
	}
	return w.field(name, layout, prefix)
}

// cases adds a Go switch, or an if where there is one value without fields.
func (w *structWriter) cases(name, field string, layout node, groups []group, fallback node, prefix string) error {
	if len(groups) == 1 && groups[0].layout == "void" && fallback != nil && len(groups[0].labels) == 1 {
		label, err := w.labels(layout, field, groups[0].labels)
		if err != nil {
			return err
		}
		header := fmt.Sprintf("if %s != %s {\n", field, label)
		w.openBlock(header)
		defer w.closeBlock(header)
		return w.arm(name, fallback, prefix)
	}
	var filled []group
	for _, g := range groups {
		if g.layout != "void" || fallback != nil {
			filled = append(filled, g)
		}
	}
	if len(filled) == 1 && fallback == nil {
		labels, err := w.labels(layout, field, filled[0].labels)
		if err != nil {
			return err
		}
		conditions := strings.Split(labels, ", ")
		for i, label := range conditions {
			conditions[i] = field + " == " + label
		}
		header := fmt.Sprintf("if %s {\n", strings.Join(conditions, " || "))
		w.openBlock(header)
		defer w.closeBlock(header)
		return w.arm(name, filled[0].layout, prefix)
	}
	return w.goSwitch(name, field, layout, filled, fallback, prefix)
}

func (w *structWriter) goSwitch(name, field string, layout node, groups []group, fallback node, prefix string) error {
	fmt.Fprintf(&w.code, "switch %s {\n", field)
	for _, g := range groups {
		labels, err := w.labels(layout, field, g.labels)
		if err != nil {
			return err
		}
		fmt.Fprintf(&w.code, "case %s:\n", labels)
		if g.layout == "void" {
			continue
		}
		armName, armPrefix := name, prefix
		if len(groups) > 1 {
			armPrefix = camel(g.labels[0])
			if _, options := constructor(g.layout); options == nil && name != "" && distinct(groups) > 1 {
				armName = armPrefix
			}
		}
		if err := w.arm(armName, g.layout, armPrefix); err != nil {
			return err
		}
	}
	if fallback != nil {
		w.code.WriteString("default:\n")
		if err := w.arm(name, fallback, prefix); err != nil {
			return err
		}
	}
	w.code.WriteString("}\n")
	return nil
}

// openBlock begins an if, or goes on with the one that ended here if that has
// the same condition.
func (w *structWriter) openBlock(header string) {
	if w.lastHeader == header && w.lastEnd == w.code.Len() {
		w.code.Truncate(w.code.Len() - len("}\n"))
	} else {
		w.code.WriteString(header)
	}
}

func (w *structWriter) closeBlock(header string) {
	w.code.WriteString("}\n")
	w.lastHeader = header
	w.lastEnd = w.code.Len()
}

// distinct counts the groups that have something.
func distinct(groups []group) int {
	n := 0
	for _, g := range groups {
		if g.layout != "void" {
			n++
		}
	}
	return n
}

// labels writes the values of cases.
func (w *structWriter) labels(layout node, field string, labels []string) (string, error) {
	kind, _ := constructor(layout)
	name := w.types[strings.TrimPrefix(field, "v.")]
	if kind != "mapper" {
		var numbers []string
		for _, l := range labels {
			if l != "false" {
				numbers = append(numbers, l)
			}
		}
		return strings.Join(numbers, ", "), nil
	}
	prefix := name
	if spec, ok := registryEnums[name]; ok {
		prefix = spec.prefix
	}
	var constants []string
	for _, l := range labels {
		constants = append(constants, prefix+camel(strings.TrimPrefix(strings.TrimPrefix(l, "minecraft:"), "brigadier:")))
	}
	return strings.Join(constants, ", "), nil
}

// union adds a field of type Value, and the types of its cases.
func (w *structWriter) union(name, field string, layout node, groups []group) error {
	goName := "Value"
	w.types[goName] = "Value"
	var notes, code strings.Builder
	for _, g := range groups {
		labels, err := w.labels(layout, field, g.labels)
		if err != nil {
			return err
		}
		if g.layout == "void" {
			continue
		}
		typ, err := w.caseType(g)
		if err != nil {
			return fmt.Errorf("case %s: %w", g.labels[0], err)
		}
		fmt.Fprintf(&notes, "//   - %s: *%s\n", labels, typ)
		fmt.Fprintf(&code, "case %s:\nvariant[%s](&v.Value, c, %s)\n", labels, typ, quote(snake(name)))
	}
	fmt.Fprintf(&w.fields, "// Value is, by the kind:\n//\n%s//   - others: nil\n%s Value\n", notes.String(), goName)
	fmt.Fprintf(&w.code, "switch %s {\n%sdefault:\nnoVariant(&v.Value, c, %s)\n}\n", field, code.String(), quote(snake(name)))
	return nil
}

// caseType is a Go type with a method wire: that of a struct, or a struct
// around another one.
func (w *structWriter) caseType(g group) (string, error) {
	caseName := fmt.Sprintf(unions[w.name], camel(g.labels[0]))
	kind, options := constructor(g.layout)
	if kind == "container" {
		t, err := w.emitter.structOnce(caseName, w.name+".Value", g.layout)
		return t.name, err
	}
	if options == nil {
		if box, ok := boxes[kind]; ok {
			return box, w.box(box, g.layout)
		}
	}
	t, err := w.emitter.goType(g.layout, caseName+".Value", "")
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(t.walk, "(*") {
		return t.name, nil
	}
	if kind == "registryEntryHolder" || kind == "option" || kind == "array" || kind == "mapper" || options == nil {
		return caseName, w.box(caseName, g.layout)
	}
	return "", fmt.Errorf("a %s", kind)
}

// box writes a struct with one field, Value.
func (w *structWriter) box(name string, layout node) error {
	t := []any{"container", []any{map[string]any{"name": "value", "type": layout}}}
	_, err := w.emitter.structOnce(name, "", t)
	return err
}

// boxes are the structs around types that many cases have.
var boxes = map[string]string{
	"varint": "VarIntValue", "varlong": "VarLongValue", "i8": "ByteValue", "i32": "IntValue", "f32": "FloatValue",
	"string": "StringValue", "bool": "BoolValue", "anonymousNbt": "NBTValue", "optvarint": "OptionalIntValue",
}
