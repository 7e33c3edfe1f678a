/** The fixed array and extensible array chunk indexes. */
package io.skerry.format.index.array;
