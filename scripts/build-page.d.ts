/** See build-page.js: the scripts run without a build, so their types stand beside them. */
export declare function buildPage(outDir: string): Promise<void>;
