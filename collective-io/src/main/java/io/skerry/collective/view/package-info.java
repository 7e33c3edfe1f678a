/** Collective and independent calls on the file, and vector reads of chunk images. */
package io.skerry.collective.view;
