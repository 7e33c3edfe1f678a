/** Ranks as threads of one JVM. Start at {@link io.skerry.mpi.local.LocalWorld}. */
package io.skerry.mpi.local;
