/**
 * Builds the documentation site from Markdown pages, diagrams and Javadoc, and checks all links.
 * Start at {@link io.skerry.site.SiteBuilder}.
 */
package io.skerry.site;
