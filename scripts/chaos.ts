import "../tests/chaos/main.ts";
