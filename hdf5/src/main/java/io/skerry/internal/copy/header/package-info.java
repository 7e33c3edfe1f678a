/**
 * Creates the object headers of copies: groups, committed datatypes, and datasets with the same or
 * with changed storage. Start at {@link io.skerry.internal.copy.header.CopiedHeaders}.
 */
package io.skerry.internal.copy.header;
