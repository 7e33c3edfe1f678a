/**
 * Finds other files that a file names, and refuses those that the policy does not allow. Start at
 * {@link ReferencedFiles}. Opening, external links, external data files and virtual datasets use
 * that class; the journal and the live file use {@link CompanionPlace}.
 */
package io.skerry.collective.trust;
