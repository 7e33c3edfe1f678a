/**
 * Access to the bytes of an open file: collective and independent calls, and vector reads of chunk
 * images. Start at {@link AgreedFile}. The packages that read, write and flush chunks use it; it
 * uses {@code MpiFile} of mpi-core.
 */
package io.skerry.collective.view;
