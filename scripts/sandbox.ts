await import("../sandbox/main.ts");
