package query

import "reflect"

// Field is a name that expressions can use.
type Field struct {
	Name string
	// Type is text, number, bool, time or function.
	Type string
	Doc  string
}

// Fields lists the names in the order of Row.
func Fields() []Field {
	var list []Field
	row := reflect.TypeFor[Row]()
	for i := range row.NumField() {
		field := row.Field(i)
		name := field.Tag.Get("expr")
		if name == "" {
			continue
		}
		kind := "number"
		switch field.Type.Kind() {
		case reflect.String:
			kind = "text"
		case reflect.Bool:
			kind = "bool"
		case reflect.Func:
			kind = "function"
		case reflect.Struct:
			kind = "time"
		}
		list = append(list, Field{name, kind, field.Tag.Get("doc")})
	}
	return list
}

// Value returns the field of a name, for printing; nil if there is none or it
// is a function.
func (r *Row) Value(name string) any {
	row := reflect.ValueOf(r).Elem()
	for i := range row.NumField() {
		field := row.Type().Field(i)
		if field.Tag.Get("expr") == name && field.Type.Kind() != reflect.Func {
			return row.Field(i).Interface()
		}
	}
	return nil
}

// need is what has to be read for a name.
type need uint8

const (
	needRecord need = 1 << iota
	needDocument
	needEntities
	needPOI
	needPresence
	needPlayers
	needForced
)

// needs says what names need; those that are not here need the header alone.
var needs = map[string]need{
	"border": needPresence, "players": needPlayers, "respawns": needPlayers, "forced": needForced,
	"readable": needRecord, "error": needRecord, "scheme": needRecord, "bytes": needRecord, "external": needRecord,
	"nbt_bytes": needDocument, "data_version": needDocument, "status": needDocument, "last_update": needDocument,
	"inhabited": needDocument, "nbt_x": needDocument, "nbt_z": needDocument, "misplaced": needDocument, "light": needDocument,
	"entities": needDocument | needEntities, "proto_entities": needDocument, "block_entities": needDocument, "poi": needPOI,
	"block": needDocument, "count_blocks": needDocument, "biome": needDocument, "structure": needDocument, "reference": needDocument,
	"entity": needDocument | needEntities, "block_entity": needDocument, "nbt": needDocument, "has": needDocument,
}
