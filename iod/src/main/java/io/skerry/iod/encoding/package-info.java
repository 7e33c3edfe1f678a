/**
 * The encodings in which a container stores datatypes and dataspaces: those of {@code H5Tencode}
 * and {@code H5Sencode} of the HDF5 library. Start at {@link EncodedDatatype} and {@link
 * EncodedDataspace}. Property lists are in {@code io.skerry.iod.encoding.property}.
 */
package io.skerry.iod.encoding;
