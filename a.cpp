int f() { int unused; return 0; }
