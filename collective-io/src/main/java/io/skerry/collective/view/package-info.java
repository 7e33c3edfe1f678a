/**
 * Accesses the bytes of an open file with collective and independent calls, and reads chunk images
 * with vector reads. Start at {@link AgreedFile}. The packages that read, write and flush chunks
 * use this package, which uses {@code MpiFile} of the module {@code mpi-core}.
 */
package io.skerry.collective.view;
