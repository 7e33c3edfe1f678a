/** Collective writes, flushes and reads. Start at {@code CollectiveWriter}. */
package io.skerry.collective;
