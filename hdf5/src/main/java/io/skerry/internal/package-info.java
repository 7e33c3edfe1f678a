/** The service behind the API: opens, copies and verifies HDF5 files. */
package io.skerry.internal;
