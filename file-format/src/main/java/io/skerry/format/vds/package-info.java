/**
 * What a virtual dataset is made of: its mappings, their names and selections, and how far
 * unlimited ones reach. Not here: opening the sources and reading them. Start at {@code
 * VirtualMappings}.
 */
package io.skerry.format.vds;
