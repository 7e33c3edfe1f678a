/**
 * Reads files independently on one rank, opening each with few system calls. Start at {@link
 * io.skerry.collective.source.SourceFile}. Reads of virtual datasets use this package for source
 * files that need neither a cache nor a lock.
 */
package io.skerry.collective.source;
