/** Space for contents of variable length in the global heap. */
package io.skerry.collective.heap;
