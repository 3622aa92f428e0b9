package building

// Templates is for tests of other packages.
var Templates = templates
