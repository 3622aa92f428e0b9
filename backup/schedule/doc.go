// Package schedule runs something at the times that a cron expression names,
// on clocks that jump.
//
// A time that came while the machine slept, or while the run before was
// still at work, is not made up for one by one: there is one run at once, and it
// is told how many times passed. A clock that is set back by less than a day runs
// nothing twice: the times it has run are over. One that is set back by more had
// been wrong before, and the schedule begins anew at what it says now.
//
// The wait is cut into pieces of at most half a minute, so that a jump is noticed
// that soon.
//
// Expressions have five fields, minute, hour, day of the month, month and day of the
// week, as cron has them, or are @hourly, @daily, @weekly, @monthly, @yearly or
// @every 90m. Where the clocks change, a daily run comes once all the same: an hour
// later if there is no such time that day, and the first time if there are two.
package schedule
