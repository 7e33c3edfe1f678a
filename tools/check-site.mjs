#!/usr/bin/env node
// Checks the documentation site in a headless Chromium: ./skerry docs, then tools/check-site.mjs.
//
// Opens every page that can be reached from index.html, at 400 and at 1280 pixels width, from the
// file system. Follows every link within the site, with its fragment. Fails on a broken link or
// picture, on an error or warning in the console, on a request that leaves the site, and on a page
// whose body scrolls horizontally.
//
// Needs Chromium (Debian: chromium), which CHROMIUM names if it is not on the path, and
// playwright-core, which brings no browser: npm install --no-save playwright-core@1.65.1
import {existsSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

// From the working folder, so that nothing has to be installed in the checkout.
const {chromium} = createRequire(path.resolve('package.json'))('playwright-core');

const WIDTHS = [400, 1280];
const site = path.resolve(process.argv[2] ?? 'target/site');
const base = pathToFileURL(site).href + '/';
const failures = [];

const executablePath = process.env.CHROMIUM
    ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({executablePath, args: ['--no-sandbox']});
const tab = await browser.newPage();
let current = '';
const fail = text => failures.push(`${current}: ${text}`);

tab.on('console', message => {
    if (['error', 'warning'].includes(message.type())) fail(`console: ${message.text()}`);
});
tab.on('pageerror', error => fail(`script: ${error}`));
tab.on('request', request => {
    if (!/^(file|data|blob):/.test(request.url())) fail(`leaves the site: ${request.url()}`);
});
tab.on('requestfailed', request => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') fail(`request: ${request.url()}`);
});

// What the browser makes of a page: links as it resolves them, pictures without pixels, anchors.
const inspect = () => ({
    links: [...document.querySelectorAll('a[href]')].map(link => link.href),
    emptyPictures: [...document.images].filter(each => each.naturalWidth === 0).map(each => each.src),
    anchors: [...document.querySelectorAll('[id], a[name]')].flatMap(
        each => [each.id, each.getAttribute('name')]),
});
const excessWidth = () =>
    Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)
        - document.documentElement.clientWidth;

const anchors = new Map();
const links = [];
let external = 0;
const waiting = [base + 'index.html'];
while (waiting.length > 0) {
    const url = waiting.pop();
    if (anchors.has(url)) continue;
    current = url.slice(base.length);
    for (const width of WIDTHS) {
        await tab.setViewportSize({width, height: 900});
        await tab.goto(url);
        const excess = await tab.evaluate(excessWidth);
        if (excess > 0) fail(`the body is ${excess} pixels wider than ${width}`);
    }
    const page = await tab.evaluate(inspect);
    anchors.set(url, new Set(page.anchors));
    page.emptyPictures.forEach(each => fail(`picture: ${each}`));
    for (const target of page.links) {
        if (target.startsWith('file:')) {
            const [file, fragment] = target.split('#');
            links.push({current, file, fragment});
            if (file.endsWith('.html') && isFile(file)) waiting.push(file);
        } else if (/^https?:/.test(target)) {
            external++;
        }
    }
}
await browser.close();

for (const {current: from, file, fragment} of links) {
    current = from;
    if (!file.startsWith(base) || !isFile(file)) fail(`link: ${file}`);
    else if (fragment && anchors.has(file) && !anchors.get(file).has(decodeURIComponent(fragment))) {
        fail(`link without its place: ${file}#${fragment}`);
    }
}

console.log(`${anchors.size} pages at widths of ${WIDTHS.join(' and ')} pixels,`
    + ` ${links.length} links followed, ${external} links to other hosts not followed,`
    + ` ${failures.length} failures`);
failures.forEach(each => console.log('  ' + each));
process.exitCode = failures.length === 0 ? 0 : 1;

function isFile(url) {
    const file = fileURLToPath(url);
    return existsSync(file) && statSync(file).isFile();
}
