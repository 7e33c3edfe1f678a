/**
 * Makes the documentation site: pages from Markdown, pictures, Javadoc, and the check of all links.
 * Start at {@link io.skerry.site.SiteBuilder}.
 */
package io.skerry.site;
