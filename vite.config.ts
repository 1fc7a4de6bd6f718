import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    ssr: {
      build: {
        // The server, the worker and the owner's command line are built together so that they share one copy of every module.
        rollupOptions: { input: { server: "./server.ts", shop: "./cli/main.ts" } },
      },
    },
  },
});
