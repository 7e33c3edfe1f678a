/**
 * Code that all back ends share: argument and thread checks, collectives built from messages, the
 * comparison of collective calls.
 */
package io.skerry.mpi.internal.base;
