/** Datatypes of elements, one record per HDF5 datatype class. */
package io.skerry.datatype;
