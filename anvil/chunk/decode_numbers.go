package chunk

import (
	"bytes"

	"strata/nbt"
	"strata/region"
)

// integer returns the value of an integer field.
func (d *Decoder) integer(f field) (v int64, ok bool, err error) {
	s := d.found[f]
	if s.len() == 0 {
		return 0, false, nil
	}
	v, ok = nbt.Raw{Type: d.kinds[f], Data: d.data[s.from:s.to]}.Int()
	if !ok {
		return 0, false, d.fieldError(f, ErrType)
	}
	return v, true, nil
}

// numbers reads the members that are no containers.
func (d *Decoder) numbers() error {
	c := d.c
	version, ok, err := d.integer(fieldDataVersion)
	if err != nil {
		return err
	}
	if !ok || version < MinDataVersion {
		header, err := ReadHeader(d.data)
		if err != nil {
			return err
		}
		return &TooOldError{Header: header}
	}
	if version > 1<<31-1 {
		return d.fieldError(fieldDataVersion, ErrType)
	}
	form := formOf(int32(version))
	form.level = c.form.level
	c.dataVersion, c.form = int32(version), form
	if err := d.position(); err != nil {
		return err
	}
	if err := d.times(); err != nil {
		return err
	}
	return d.status()
}

func (d *Decoder) position() error {
	x, okX, errX := d.integer(fieldXPos)
	z, okZ, errZ := d.integer(fieldZPos)
	switch {
	case errX != nil:
		return errX
	case errZ != nil:
		return errZ
	case !okX:
		return d.fieldError(fieldXPos, ErrMissing)
	case !okZ:
		return d.fieldError(fieldZPos, ErrMissing)
	case int64(int32(x)) != x:
		return d.fieldError(fieldXPos, ErrType)
	case int64(int32(z)) != z:
		return d.fieldError(fieldZPos, ErrType)
	}
	d.c.pos = region.ChunkPos{X: int32(x), Z: int32(z)}
	y, okY, errY := d.integer(fieldYPos)
	if errY != nil || !okY {
		return errY
	}
	if y < int64(MinSectionY) || y > int64(MaxSectionY) {
		return d.fieldError(fieldYPos, ErrSectionY)
	}
	d.c.minY = SectionY(y)
	d.c.has |= hasYPos
	return nil
}

func (d *Decoder) times() (err error) {
	c := d.c
	var ok bool
	if c.lastUpdate, ok, err = d.integer(fieldLastUpdate); err != nil {
		return err
	} else if ok {
		c.has |= hasLastUpdate
	}
	if c.inhabitedTime, ok, err = d.integer(fieldInhabitedTime); err != nil {
		return err
	} else if ok {
		c.has |= hasInhabitedTime
	}
	on, ok, err := d.integer(fieldLightOn)
	if ok {
		c.has |= hasLightOn
		c.lightOn = on != 0
	}
	return err
}

// statusStrings are the names of statuses, so that chunks share them.
var statusStrings = func() map[string]string {
	m := map[string]string{}
	for _, name := range statusNames[1:] {
		m[name] = name
		m["minecraft:"+name] = "minecraft:" + name
	}
	for name := range oldStatuses {
		m[name] = name
	}
	return m
}()

func (d *Decoder) status() error {
	s := d.found[fieldStatus]
	if s.len() == 0 {
		return nil
	}
	name, ok := nbt.Raw{Type: d.kinds[fieldStatus], Data: d.data[s.from:s.to]}.Bytes()
	if !ok {
		return d.fieldError(fieldStatus, ErrType)
	}
	c := d.c
	if c.statusName, ok = statusStrings[string(name)]; !ok {
		c.statusName = string(name)
	}
	c.status = ParseStatus(c.statusName)
	c.has |= hasStatus
	return nil
}

// usesContainers tells the form of sections in the snapshots of 1.18 that
// still had Level, where it came a little later than the version says.
func (d *Decoder) usesContainers(list span) bool {
	v := d.c.dataVersion
	return v >= flatVersion || v >= containerVersion && bytes.Contains(d.data[list.from:list.to], []byte("block_states"))
}
