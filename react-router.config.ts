import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // scripts/build.ts gives each build a folder of its own.
  buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
  // Two entries (vite.config.ts): server.js and shop.js.
  serverBuildFile: "[name].js",
  // The route table is small: sending it whole costs less than a lazy look-up on a bad network.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
