package retention

import (
	"cmp"
	"slices"
	"time"
)

// Policy says what is kept. Of the numbers, 0 is no rule and All has no end.
type Policy struct {
	Last, Hourly, Daily, Weekly, Monthly, Yearly int
	// Within keeps all that is younger than the span before the newest
	// snapshot, the others the newest of each hour, day, ... in such a span.
	Within, WithinHourly, WithinDaily, WithinWeekly, WithinMonthly, WithinYearly Span
	// Tags keeps what has all the tags of one of the lists. A list of one empty
	// text keeps what has no tags.
	Tags [][]string
}

// All as a number of a Policy keeps one for each period there is.
const All = -1

// Empty reports whether the policy has no rule.
func (p *Policy) Empty() bool {
	return p.Last == 0 && p.Hourly == 0 && p.Daily == 0 && p.Weekly == 0 && p.Monthly == 0 && p.Yearly == 0 &&
		p.Within.Zero() && p.WithinHourly.Zero() && p.WithinDaily.Zero() && p.WithinWeekly.Zero() &&
		p.WithinMonthly.Zero() && p.WithinYearly.Zero() && len(p.Tags) == 0
}

// Item is a snapshot as retention sees it.
type Item struct {
	ID   string
	Time time.Time
	Tags []string
	// Protected snapshots are never forgotten.
	Protected bool
}

// Kept is a snapshot that is kept, and by which rules.
type Kept struct {
	Item
	Reasons []string
}

// Apply parts snapshots into those that are kept and those that are not, the
// newest first; of the same time, the one that came first in items. now is the
// time after which a snapshot counts as one of the future.
func (p *Policy) Apply(items []Item, now time.Time) (keep []Kept, forget []Item) {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Item) int { return b.Time.Compare(a.Time) })
	rules := p.rules(newest(items, now))
	for number, item := range items {
		kept := Kept{Item: item}
		if item.Protected {
			kept.Reasons = append(kept.Reasons, "protected")
		}
		if p.Empty() {
			kept.Reasons = append(kept.Reasons, "policy is empty")
		}
		for _, tags := range p.Tags {
			if hasTags(item.Tags, tags) {
				kept.Reasons = append(kept.Reasons, "tags "+joinTags(tags))
			}
		}
		for i := range rules {
			if rules[i].keeps(&item, number) {
				kept.Reasons = append(kept.Reasons, rules[i].name)
			}
		}
		if len(kept.Reasons) > 0 {
			keep = append(keep, kept)
		} else {
			forget = append(forget, item)
		}
	}
	return keep, forget
}

// newest is the time of the newest snapshot that is not of the future.
func newest(items []Item, now time.Time) time.Time {
	for _, item := range items {
		if item.Time.Before(now) {
			return item.Time
		}
	}
	return time.Time{}
}

// rule keeps the first snapshot of each period.
type rule struct {
	name   string
	period func(t time.Time, number int) int
	left   int // how many it still keeps, All for any number
	after  time.Time
	last   int // the period of the last one that was kept
}

// keeps asks for a snapshot; they come from the newest to the oldest.
func (r *rule) keeps(item *Item, number int) bool {
	if r.left == 0 || !r.after.IsZero() && !item.Time.After(r.after) {
		return false
	}
	period := r.period(item.Time, number)
	if period == r.last {
		return false
	}
	r.last = period
	if r.left > 0 {
		r.left--
	}
	return true
}

// rules are those of a policy, with spans that end at the newest snapshot.
func (p *Policy) rules(newest time.Time) []rule {
	var rules []rule
	for _, r := range []struct {
		name   string
		period func(time.Time, int) int
		count  int
		within Span
	}{
		{"last", each, p.Last, p.Within},
		{"hourly", hour, p.Hourly, p.WithinHourly},
		{"daily", day, p.Daily, p.WithinDaily},
		{"weekly", week, p.Weekly, p.WithinWeekly},
		{"monthly", month, p.Monthly, p.WithinMonthly},
		{"yearly", year, p.Yearly, p.WithinYearly},
	} {
		if r.count != 0 {
			rules = append(rules, rule{name: r.name + " snapshot", period: r.period, left: r.count, last: -1})
		}
		if !r.within.Zero() {
			name := r.name + " within " + r.within.String()
			if r.name == "last" {
				name = "within " + r.within.String()
			}
			after := r.within.before(newest)
			if after.IsZero() {
				after = after.Add(1)
			}
			rules = append(rules, rule{name: name, period: r.period, left: All, after: after, last: -1})
		}
	}
	return rules
}

func each(_ time.Time, number int) int { return number }
func year(t time.Time, _ int) int      { return t.Year() }
func month(t time.Time, _ int) int     { return t.Year()*100 + int(t.Month()) }
func day(t time.Time, _ int) int       { return month(t, 0)*100 + t.Day() }
func hour(t time.Time, _ int) int      { return day(t, 0)*100 + t.Hour() }

func week(t time.Time, _ int) int {
	y, w := t.ISOWeek()
	return y*100 + w
}

func hasTags(has, want []string) bool {
	if len(want) == 1 && want[0] == "" {
		return len(has) == 0
	}
	for _, tag := range want {
		if !slices.Contains(has, tag) {
			return false
		}
	}
	return true
}

func joinTags(tags []string) string {
	text := ""
	for i, tag := range tags {
		if i > 0 {
			text += ","
		}
		text += tag
	}
	return text
}

// Fit gives up kept snapshots, the oldest first, until size says that the rest
// fits into limit bytes. Protected ones and the newest one stay. It returns what is left
// and what was given up; fits tells whether that was enough.
func Fit(keep []Kept, limit int64, size func([]Kept) (int64, error)) (left []Kept, forget []Item, fits bool, err error) {
	left = slices.Clone(keep)
	slices.SortStableFunc(left, func(a, b Kept) int { return cmp.Or(b.Time.Compare(a.Time), 0) })
	for {
		bytes, err := size(left)
		if err != nil || bytes <= limit {
			return left, forget, err == nil, err
		}
		at := -1
		for i := 1; i < len(left); i++ {
			if !left[i].Protected {
				at = i
			}
		}
		if at < 0 {
			return left, forget, false, nil
		}
		forget = append(forget, left[at].Item)
		left = slices.Delete(left, at, at+1)
	}
}
