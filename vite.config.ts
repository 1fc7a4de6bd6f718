import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // What most pages need comes in three files, not in twenty-five, none so large that running it holds a phone up; the rest stays with
            // the page that needs it.
            codeSplitting: {
              groups: [
                { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
                { name: "router", test: /node_modules\/(react-router|react-hot-toast|goober)\// },
                { name: "frame", test: /app\/|vite\/preload-helper/, minShareCount: 3 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: {
        // The server, the worker and the owner's command line are built together so that they share one copy of every module.
        rollupOptions: { input: { server: "./server.ts", shop: "./cli/main.ts" } },
      },
    },
  },
});
