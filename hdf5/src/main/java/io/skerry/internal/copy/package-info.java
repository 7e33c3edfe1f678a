/** Copies of objects within a file or between files, with changed storage where asked. */
package io.skerry.internal.copy;
