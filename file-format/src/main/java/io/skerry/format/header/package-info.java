/** Object headers: reading and writing of their chunks. */
package io.skerry.format.header;
