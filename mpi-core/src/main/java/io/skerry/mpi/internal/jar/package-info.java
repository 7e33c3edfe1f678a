/**
 * Loads the classes of a jar with Java bindings for MPI and determines the kind of the bindings,
 * for the back ends that use such jars. Start at {@link io.skerry.mpi.internal.jar.MpiJar}.
 */
package io.skerry.mpi.internal.jar;
