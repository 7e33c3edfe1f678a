/**
 * Cuts write requests into pieces by chunk. Start at {@link WritePlan}. This package accesses
 * neither other ranks nor files; the packages {@code owner} and {@code write} send its pieces to
 * the owners of the chunks.
 */
package io.skerry.collective.plan;
