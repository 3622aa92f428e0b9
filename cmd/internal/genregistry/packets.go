package main

import (
	"fmt"
	"slices"
	"strings"
)

// encodePackets writes a section of packet names for each protocol: states,
// directions, names by number.
func encodePackets(in *inputs) ([]section, error) {
	var sections []section
	for _, protocol := range in.packets.members {
		e := newEncoder()
		e.number(len(protocol.value.members))
		for _, state := range protocol.value.members {
			e.text(state.name)
			e.number(len(state.value.members))
			for _, direction := range state.value.members {
				names := make([]string, len(direction.value.members))
				for _, p := range direction.value.members {
					id := p.value.int()
					if id >= len(names) || names[id] != "" {
						return nil, fmt.Errorf("packet %s has number %d", p.name, id)
					}
					names[id] = p.name
				}
				e.text(direction.name)
				e.number(len(names))
				for _, name := range names {
					e.text(name)
				}
			}
		}
		sections = append(sections, section{protocol.name, e.data})
	}
	return sections, checkPackets(in)
}

// reportedProtocols are the protocols of the releases with a packet report.
var reportedProtocols = map[string]string{"26.1": "775", "26.2": "776"}

// checkPackets compares the packets with the reports of the releases.
func checkPackets(in *inputs) error {
	for _, rel := range in.releases {
		report, err := rel.reports.json("packets.json")
		if err != nil {
			return err
		}
		got, want := flatPackets(in.packets.get(reportedProtocols[rel.name])), flatPackets(report)
		if !slices.Equal(got, want) {
			return fmt.Errorf("packet ids of %s are not those of the report", rel.name)
		}
	}
	return nil
}

func flatPackets(protocol *node) []string {
	var list []string
	for _, state := range protocol.members {
		for _, direction := range state.value.members {
			for _, p := range direction.value.members {
				id := p.value
				if id.kind == kindObject {
					id = id.get("protocol_id")
				}
				list = append(list, strings.Join([]string{state.name, direction.name, bare(p.name), id.text}, " "))
			}
		}
	}
	slices.Sort(list)
	return list
}
