/**
 * Files that one rank reads by itself, opened with few system calls. Start at {@link
 * io.skerry.collective.source.SourceFile}. Reads of virtual datasets use it for source files that
 * need neither a cache nor a lock.
 */
package io.skerry.collective.source;
