/** Events of the Java Flight Recorder. */
package io.skerry.cache.jfr;
