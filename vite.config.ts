import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const plugins = [tailwindcss(), reactRouter()];

const shop = defineConfig({
  plugins,
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Code for every page is in three files, none so large that running it would block a phone. Code for
            // several pages is in one file for each kind of page, loaded with the first of them; the rest stays with
            // the page that needs it.
            codeSplitting: {
              groups: [
                { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
                { name: "router", test: /node_modules\/(react-router|react-hot-toast|goober)\// },
                {
                  name: "frame",
                  test: /app\/(infra|money|messages|numbers\/|ui\/(?!frame\/(hero|home))|cart\/(?!line|list)|account\/(session|auth-dialog)|catalog\/(currency|product|sizes|full-rows|placeholder)|shipping\/(place\/(place\.|deliver-to)|delivery-time))|vite\/preload-helper/,
                  minShareCount: 2,
                },
                { name: "home", test: /app\/(catalog\/home\/texts|ui\/frame\/(hero|home))/, minShareCount: 2 },
                {
                  name: "product",
                  test: /app\/(catalog\/(gallery\/(strip|thumbnails)|search\/not-here|stock-alerts\/form)|shipping\/place\/estimate)/,
                },
                { name: "auth", test: /app\/account\//, minShareCount: 2 },
                { name: "orders", test: /app\/(orders|shipping)\//, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: {
        // The server, the worker and the owner's command line are built together so that they share one copy of every
        // module.
        rollupOptions: { input: { server: "./server.ts", shop: "./cli/main.ts" } },
      },
    },
  },
});

const office = defineConfig({
  plugins,
  publicDir: false, // it uses the shop's fonts
  environments: { ssr: { build: { rollupOptions: { input: { server: "./office/server.ts" } } } } },
});

export default process.env.IREPO_APP === "office" ? office : shop;
